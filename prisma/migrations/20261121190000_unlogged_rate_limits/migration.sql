-- Every request counts here, and a count is worth nothing after a minute: it need not survive the crash of the server.
ALTER TABLE "rate_limit" SET UNLOGGED;
