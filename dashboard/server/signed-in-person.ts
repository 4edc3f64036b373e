/** A person with a session. */
export interface SignedInPerson {
  readonly id: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly emailVerified: boolean;
  /** The token of the session. */
  readonly sessionToken: string;
}
