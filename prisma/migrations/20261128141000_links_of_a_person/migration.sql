-- A newer link, and a change of the password, end the links that a person has. Values can be long, which only a hash index takes.
CREATE INDEX "person_verification_value_idx" ON "person_verification" USING HASH ("value");
