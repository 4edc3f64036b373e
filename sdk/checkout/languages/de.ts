import type { Messages } from './messages.ts';

export const de: Messages = {
  cardDetails: 'Kartendaten',
  number: 'Kartennummer',
  expiry: 'Gültig bis (MM/JJ)',
  code: 'Sicherheitscode',
  consents: {
    on_session: 'Diese Karte bei {merchant} für meine nächsten Zahlungen speichern.',
    off_session: 'Diese Karte bei {merchant} speichern. {merchant} darf sie wie vereinbart auch ohne mich belasten.',
  },
  problems: {
    number_missing: 'Geben Sie die Kartennummer ein.',
    number_incomplete: 'Die Kartennummer ist zu kurz.',
    number_invalid: 'Prüfen Sie die Kartennummer.',
    expiry_missing: 'Geben Sie das Ablaufdatum ein.',
    expiry_invalid: 'Geben Sie das Ablaufdatum als Monat und Jahr ein, zum Beispiel 12/30.',
    expired: 'Diese Karte ist abgelaufen.',
    code_missing: 'Geben Sie den Sicherheitscode ein.',
    code_length: 'Der Sicherheitscode dieser Karte hat {digits} Stellen.',
  },
  failures: {
    expired_card: 'Diese Karte ist abgelaufen. Verwenden Sie eine andere Karte.',
    authentication_failed:
      'Die Zahlung wurde bei Ihrer Bank nicht freigegeben (3-D Secure). Versuchen Sie es noch einmal oder verwenden Sie eine andere Karte.',
    authentication_required:
      'Ihre Bank möchte, dass Sie diese Zahlung selbst freigeben. Sie können sie jetzt mit derselben Karte bezahlen.',
    CARD_DECLINED: 'Ihre Bank hat die Karte abgelehnt. Verwenden Sie eine andere Karte.',
    INSUFFICIENT_FUNDS: 'Die Karte ist nicht ausreichend gedeckt. Verwenden Sie eine andere Karte.',
    PAYMENT_DECLINED: 'Die Zahlung wurde abgelehnt. Wählen Sie eine andere Zahlungsart.',
    LIMIT_EXCEEDED: 'Der Betrag liegt über dem Limit Ihrer Karte. Verwenden Sie eine andere Karte.',
    PAYMENT_EXPIRED: 'Die Zeit zum Bezahlen ist abgelaufen. Es wurde nichts abgebucht.',
    PAYMENT_RETRIES_EXHAUSTED: 'Es gab zu viele Versuche. Starten Sie die Zahlung neu.',
    PROVIDER_UNAVAILABLE:
      'Der Zahlungsdienst ist nicht verfügbar. Es wurde nichts abgebucht. Versuchen Sie es in Kürze noch einmal.',
    PAYMENT_FAILED:
      'Die Zahlung konnte nicht verarbeitet werden. Versuchen Sie es noch einmal oder wählen Sie eine andere Zahlungsart.',
    TSP_PAYMENT_FAILED: 'Die Zahlung ist fehlgeschlagen. Starten Sie die Zahlung neu.',
    NO_TSP_AVAILABLE: 'Mit dieser Zahlungsart ist die Zahlung nicht möglich. Wählen Sie eine andere Zahlungsart.',
    CHANNEL_LIMIT_MIN_EXCEEDED: 'Der Betrag ist für diese Zahlungsart zu klein. Wählen Sie eine andere Zahlungsart.',
    CHANNEL_LIMIT_MAX_EXCEEDED: 'Der Betrag ist für diese Zahlungsart zu groß. Wählen Sie eine andere Zahlungsart.',
    CRYPTO_DEPOSIT_FAILED:
      'Die Einzahlung entspricht nicht dem, was verlangt war. Bewahren Sie den Transaktions-Hash auf und schreiben Sie dem Händler.',
    SERVICE_UNAVAILABLE: 'Der Zahlungsdienst antwortet gerade nicht. Versuchen Sie es in Kürze noch einmal.',
    RATE_LIMIT_EXCEEDED: 'Es gab zu viele Versuche. Warten Sie einen Moment und versuchen Sie es dann noch einmal.',
    NETWORK_ERROR: 'Der Zahlungsdienst ist nicht erreichbar. Prüfen Sie Ihre Internetverbindung.',
    CARD_FIELDS_INVALID: 'Prüfen Sie die Kartendaten.',
    CARD_FIELDS_UNAVAILABLE: 'Das Kartenformular konnte nicht geladen werden. Laden Sie die Seite neu.',
  },
};
