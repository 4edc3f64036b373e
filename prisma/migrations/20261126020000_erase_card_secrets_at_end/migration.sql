SET LOCAL lock_timeout = '5s';

-- Deletes CVCs and digests of cards once no confirm can follow. A statement that records a step does not see what another has
-- stored while it waited for the row's lock; the statements of a trigger do.
CREATE FUNCTION "erase_card_secrets"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM payment_method_cvc WHERE payment_intent_id = NEW.id;
  DELETE FROM card_digest WHERE payment_intent_id = NEW.id;
  -- The column in which earlier versions wrote CVCs.
  UPDATE payment_method SET cvc_ciphertext = NULL WHERE payment_intent_id = NEW.id AND cvc_ciphertext IS NOT NULL;
  RETURN NULL;
END;
$$;
CREATE TRIGGER "payment_intent_authorized_or_ended" AFTER UPDATE OF "status" ON "payment_intent"
  FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.status IN ('requires_capture', 'succeeded', 'failed', 'canceled', 'expired'))
  EXECUTE FUNCTION "erase_card_secrets"();
