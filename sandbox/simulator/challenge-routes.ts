import express, { Router, type RequestHandler, type Response } from 'express';
import type { Books } from './ledger.ts';
import { challengePage, closingPage, contentSecurityPolicy } from './challenge-page.ts';
import type { PaymentDesk } from './payment-service.ts';
import { challengeAnswerSchema } from './protocol.ts';
import type { Booking } from './records.ts';

/** The 3-D Secure page, where the customer of the sandbox approves or refuses. */
export function createChallengeRoutes(books: Books, desk: PaymentDesk): Router {
  const router = Router();
  router.use(express.urlencoded({ extended: false, limit: '4kb' }), protectPage);

  const challengedBooking = (paymentId: string): Booking | undefined => {
    const booking = books.findPayment(paymentId)?.booking ?? undefined;
    return booking?.methodType === 'card' ? booking : undefined;
  };

  router.get('/:paymentId', (request, response) => {
    const booking = challengedBooking(request.params.paymentId);
    if (booking === undefined) sendUnknown(response);
    else if (booking.payment.action?.type === 'redirect') sendPage(response, booking, challengePage(booking.payment));
    else sendOutcome(response, booking);
  });

  router.post('/:paymentId', (request, response) => {
    const { paymentId } = request.params;
    const booking = challengedBooking(paymentId);
    if (booking === undefined) {
      sendUnknown(response);
      return;
    }
    const { decision } = challengeAnswerSchema.parse(request.body ?? {});
    if (booking.payment.action?.type === 'redirect') {
      desk.decide(paymentId, decision === 'approve' ? 'approved' : 'declined');
    }
    const settled = challengedBooking(paymentId) ?? booking;
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

function sendPage(response: Response, booking: Booking, html: string): void {
  response.set('content-security-policy', contentSecurityPolicy(returnTarget(booking)));
  response.type('html').send(html);
}

function sendOutcome(response: Response, { payment }: Booking): void {
  const approved = payment.status === 'captured' || payment.status === 'authorized';
  const text = approved ? 'The payment was approved.' : 'The payment was not approved.';
  response.type('html').send(closingPage('Nothing more to do', `${text} You can close this page.`));
}

function sendUnknown(response: Response): void {
  response.status(404).type('html').send(closingPage('Unknown payment', 'There is no payment at this address.'));
}

/** Where the customer goes afterwards; only web addresses are followed. */
function returnTarget({ returnUrl }: Booking): URL | null {
  const target = returnUrl !== null && URL.canParse(returnUrl) ? new URL(returnUrl) : null;
  return target?.protocol === 'https:' || target?.protocol === 'http:' ? target : null;
}
