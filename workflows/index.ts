export { paymentIntentWorkflow } from './payment-intent/workflow.ts';
export { refundWorkflow } from './refund/workflow.ts';
