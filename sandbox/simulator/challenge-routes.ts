import express, { Router, type RequestHandler, type Response } from 'express';
import type { Ledger } from './ledger.ts';
import { challengePage, closingPage, contentSecurityPolicy } from './challenge-page.ts';
import type { PaymentService } from './payment-service.ts';
import { challengeAnswerSchema } from './protocol.ts';
import type { PaymentRecord } from './records.ts';

/** The 3-D Secure page, where the customer of the sandbox approves or refuses. */
export function createChallengeRoutes(ledger: Ledger, paymentService: PaymentService): Router {
  const router = Router();
  router.use(express.urlencoded({ extended: false, limit: '4kb' }), protectPage);

  const challengedPayment = (paymentId: string): PaymentRecord | undefined => {
    const record = ledger.findPayment(paymentId)?.record ?? undefined;
    return record?.methodType === 'card' ? record : undefined;
  };

  router.get('/:paymentId', (request, response) => {
    const record = challengedPayment(request.params.paymentId);
    if (record === undefined) sendUnknown(response);
    else if (record.payment.action?.type === 'redirect') sendPage(response, record, challengePage(record.payment));
    else sendOutcome(response, record);
  });

  router.post('/:paymentId', (request, response) => {
    const { paymentId } = request.params;
    const record = challengedPayment(paymentId);
    if (record === undefined) {
      sendUnknown(response);
      return;
    }
    const { decision } = challengeAnswerSchema.parse(request.body ?? {});
    if (record.payment.action?.type === 'redirect') {
      paymentService.decide(paymentId, decision === 'approve' ? 'approved' : 'declined');
    }
    const settled = challengedPayment(paymentId) ?? record;
    const target = returnTarget(settled);
    if (target === null) sendOutcome(response, settled);
    else response.redirect(303, target.href);
  });

  return router;
}

const protectPage: RequestHandler = (_request, response, next) => {
  response.set({
    'content-security-policy': contentSecurityPolicy(null),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  next();
};

function sendPage(response: Response, record: PaymentRecord, html: string): void {
  response.set('content-security-policy', contentSecurityPolicy(returnTarget(record)));
  response.type('html').send(html);
}

function sendOutcome(response: Response, { payment }: PaymentRecord): void {
  const approved = payment.status === 'captured' || payment.status === 'authorized';
  const text = approved ? 'The payment was approved.' : 'The payment was not approved.';
  response.type('html').send(closingPage('Nothing more to do', `${text} You can close this page.`));
}

function sendUnknown(response: Response): void {
  response.status(404).type('html').send(closingPage('Unknown payment', 'There is no payment at this address.'));
}

/** Where the customer goes afterwards, or null; only web addresses are followed. */
function returnTarget({ returnUrl }: PaymentRecord): URL | null {
  const target = returnUrl !== null && URL.canParse(returnUrl) ? new URL(returnUrl) : null;
  return target?.protocol === 'https:' || target?.protocol === 'http:' ? target : null;
}
