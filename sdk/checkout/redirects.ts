import type { Platform, Popup } from './platform.ts';
import type { LatestState } from './payment-tracker.ts';
import type { ActionStart, PaymentEvent, PaymentStatus, RedirectMode } from './types.ts';

/** Sends the customer to the page of their bank, in this window or a popup. */
export interface Redirects {
  /** @param emitted the status of the last event that the page got */
  start(mode: RedirectMode, latest: LatestState, emitted: PaymentStatus | null): ActionStart;
  /** Closes the popup once the payment goes on. */
  onEvent(event: PaymentEvent): void;
}

/** @param beforeLeaving stores what the page after the redirect needs */
export function createRedirects(platform: Platform, beforeLeaving: () => void): Redirects {
  let popup: Popup | null = null;
  /** Whether the event was emitted that asked for the action in the popup; earlier events may still arrive late. */
  let isActionEmitted = false;

  const closePopup = (): void => {
    popup?.close();
    popup = null;
  };

  return {
    start(mode, { nextAction }, emitted) {
      if (mode === 'manual' || nextAction?.type !== 'redirect') return 'nothing_to_do';
      beforeLeaving();
      if (mode === 'page') {
        platform.navigate(nextAction.url);
        return 'started';
      }
      closePopup();
      isActionEmitted = emitted === 'requires_action';
      popup = platform.openPopup(nextAction.url);
      return popup === null ? 'popup_blocked' : 'started';
    },
    onEvent(event) {
      if (event.type === 'payment-requires-action') isActionEmitted = true;
      else if (isActionEmitted || event.terminal) closePopup();
    },
  };
}
