/** A character beyond ASCII that is neither a space nor a control character: RFC 6531 allows them on both sides of the @. */
const BEYOND_ASCII = String.raw`[^\x00-\x9f\s]`;
const NAME = String.raw`(?:[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]|${BEYOND_ASCII})+`;
const LETTER = `(?:[A-Za-z0-9]|${BEYOND_ASCII})`;
const LABEL = `${LETTER}(?:(?:[A-Za-z0-9-]|${BEYOND_ASCII})*${LETTER})?`;

/** An e-mail address without quotes and comments, in any script, at a domain of at least two labels. */
export const EMAIL_ADDRESS = new RegExp(String.raw`^${NAME}(?:\.${NAME})*@(?:${LABEL}\.)+(?!\d+$)${LABEL}$`, 'u');

const DOMAIN_BEYOND_ASCII = /^(?=.*[^\x00-\x7f])[\p{L}\p{M}\p{N}.-]+$/u;

/**
 * The form in which the address that a person signs in with is stored and compared: in lower case, its letters composed (Unicode
 * NFC, as RFC 6532 has it), and with its domain as DNS has it (`bücher.example` is `xn--bcher-kva.example`).
 */
export function signInAddressOf(address: string): string {
  const lower = address.trim().toLowerCase().normalize('NFC');
  const nameEnd = lower.lastIndexOf('@') + 1;
  const url = `http://${lower.slice(nameEnd)}`;
  if (!DOMAIN_BEYOND_ASCII.test(lower.slice(nameEnd)) || !URL.canParse(url)) return lower;
  return `${lower.slice(0, nameEnd)}${new URL(url).hostname}`;
}
