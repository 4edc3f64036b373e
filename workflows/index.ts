export { paymentIntentWorkflow } from './payment-intent/workflow.ts';
