/** Something the person at the keyboard can do something about; the message is the sentence to show, without a stack. */
export class SentenceError extends Error {
  override readonly name: string = 'SentenceError';
}
