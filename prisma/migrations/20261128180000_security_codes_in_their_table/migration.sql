SET LOCAL lock_timeout = '5s';

-- CVCs have a table of their own.
CREATE OR REPLACE FUNCTION "erase_card_secrets"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM payment_method_cvc WHERE payment_intent_id = NEW.id;
  DELETE FROM card_digest WHERE payment_intent_id = NEW.id;
  RETURN NULL;
END;
$$;
ALTER TABLE "payment_method" DROP COLUMN "cvc_ciphertext";
