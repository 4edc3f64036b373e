import type { Messages } from './messages.ts';

export const es: Messages = {
  cardDetails: 'Datos de la tarjeta',
  number: 'Número de tarjeta',
  expiry: 'Caducidad (MM/AA)',
  code: 'Código de seguridad',
  consents: {
    on_session: 'Guardar esta tarjeta en {merchant} para mis próximos pagos.',
    off_session:
      'Guardar esta tarjeta en {merchant}. {merchant} también puede cobrar en ella sin mí, según lo acordado.',
  },
  problems: {
    number_missing: 'Introduzca el número de tarjeta.',
    number_incomplete: 'El número de tarjeta es demasiado corto.',
    number_invalid: 'Revise el número de tarjeta.',
    expiry_missing: 'Introduzca la fecha de caducidad.',
    expiry_invalid: 'Introduzca el mes y el año de caducidad, por ejemplo 12/30.',
    expired: 'Esta tarjeta ha caducado.',
    code_missing: 'Introduzca el código de seguridad.',
    code_length: 'El código de seguridad de esta tarjeta tiene {digits} dígitos.',
  },
  failures: {
    expired_card: 'Esta tarjeta ha caducado. Use otra tarjeta.',
    authentication_failed:
      'El pago no se ha confirmado con su banco (3-D Secure). Inténtelo de nuevo o use otra tarjeta.',
    authentication_required: 'Su banco quiere que confirme usted este pago. Puede pagarlo ahora con la misma tarjeta.',
    CARD_DECLINED: 'Su banco ha rechazado la tarjeta. Use otra tarjeta.',
    INSUFFICIENT_FUNDS: 'La tarjeta no tiene fondos suficientes. Use otra tarjeta.',
    PAYMENT_DECLINED: 'El pago ha sido rechazado. Elija otra forma de pago.',
    LIMIT_EXCEEDED: 'El importe supera el límite de su tarjeta. Use otra tarjeta.',
    PAYMENT_EXPIRED: 'El plazo para pagar ha terminado. No se ha cobrado nada.',
    PAYMENT_RETRIES_EXHAUSTED: 'Ha habido demasiados intentos. Inicie el pago de nuevo.',
    PROVIDER_UNAVAILABLE: 'El servicio de pago no está disponible. No se ha cobrado nada. Inténtelo de nuevo en breve.',
    PAYMENT_FAILED: 'No se ha podido procesar el pago. Inténtelo de nuevo o elija otra forma de pago.',
    TSP_PAYMENT_FAILED: 'El pago ha fallado. Inicie el pago de nuevo.',
    NO_TSP_AVAILABLE: 'No es posible pagar de esta forma. Elija otra forma de pago.',
    CHANNEL_LIMIT_MIN_EXCEEDED: 'El importe es demasiado pequeño para esta forma de pago. Elija otra forma de pago.',
    CHANNEL_LIMIT_MAX_EXCEEDED: 'El importe es demasiado grande para esta forma de pago. Elija otra forma de pago.',
    CRYPTO_DEPOSIT_FAILED:
      'El depósito no coincide con lo solicitado. Guarde el hash de la transacción y escriba al comercio.',
    SERVICE_UNAVAILABLE: 'El servicio de pago no puede responder ahora. Inténtelo de nuevo en breve.',
    RATE_LIMIT_EXCEEDED: 'Ha habido demasiados intentos. Espere un poco e inténtelo de nuevo.',
    NETWORK_ERROR: 'No se ha podido contactar con el servicio de pago. Revise su conexión a internet.',
    CARD_FIELDS_INVALID: 'Revise los datos de la tarjeta.',
    CARD_FIELDS_UNAVAILABLE: 'No se ha podido cargar el formulario de tarjeta. Vuelva a cargar la página.',
  },
};
