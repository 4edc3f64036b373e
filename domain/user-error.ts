/** An error that the person who runs the command can repair. The program prints its message without a stack. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}
