-- Nothing but a redelivery needed the right to write events.
UPDATE "api_key" SET "scopes" = array_replace("scopes", 'events:write', 'events:redeliver')
WHERE 'events:write' = ANY ("scopes");
