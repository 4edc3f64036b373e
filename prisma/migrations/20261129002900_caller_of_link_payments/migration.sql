ALTER TABLE payment_link_payment ADD COLUMN confirmed_from text;
