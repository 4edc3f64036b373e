/** A character beyond ASCII that is neither a space nor a control character: RFC 6531 allows them on both sides of the @. */
const BEYOND_ASCII = String.raw`[^\x00-\x9f\s]`;
const NAME = String.raw`(?:[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]|${BEYOND_ASCII})+`;
const LETTER = `(?:[A-Za-z0-9]|${BEYOND_ASCII})`;
const LABEL = `${LETTER}(?:(?:[A-Za-z0-9-]|${BEYOND_ASCII})*${LETTER})?`;

/** An e-mail address without quotes and comments, in any script, at a domain of at least two labels. */
export const EMAIL_ADDRESS = new RegExp(String.raw`^${NAME}(?:\.${NAME})*@(?:${LABEL}\.)+(?!\d+$)${LABEL}$`, 'u');
