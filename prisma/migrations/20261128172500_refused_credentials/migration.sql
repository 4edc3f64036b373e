-- Since when a provider refuses the credentials of an account, and in which call.
ALTER TABLE "provider_account" ADD COLUMN "credentials_refused_since" TIMESTAMPTZ(3),
  ADD COLUMN "credentials_refused_operation" TEXT;
