/** A failure that the user of a command can fix; the message says what to do and is shown without a stack. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}
