-- The list of disputes in which those come first that need an answer, in the order in which their time ends.
CREATE INDEX dispute_answer_idx ON dispute (
  merchant_account_id,
  (CASE WHEN status = 'needs_response' THEN COALESCE(respond_by, 'infinity'::timestamptz) END),
  created_at DESC,
  id DESC
);
