-- When the platform suspended an account. The status is 'suspended' as well, so that code which does not know the column
-- refuses its requests too; but only the platform lifts such a suspension. Accounts that are suspended already count as
-- suspended by their merchant: nothing says who did it.
ALTER TABLE "merchant_account" ADD COLUMN "platform_suspended_at" TIMESTAMPTZ(3);
