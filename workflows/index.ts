export { disputeWorkflow } from './dispute/workflow.ts';
export { paymentIntentWorkflow } from './payment-intent/workflow.ts';
export { reconciliationWorkflow } from './reconciliation/workflow.ts';
export { refundWorkflow } from './refund/workflow.ts';
export { savedPaymentMethodWorkflow } from './saved-payment-method/workflow.ts';
export { strayChargeWorkflow } from './stray-charge/workflow.ts';
export { webhookDeliveryWorkflow } from './webhook-delivery/workflow.ts';
export { webhookRecoveryWorkflow } from './webhook-recovery/workflow.ts';
