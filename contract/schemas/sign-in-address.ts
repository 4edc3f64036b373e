import { z } from 'zod';
import { EMAIL_ADDRESS, signInAddressOf } from '../../domain/email-address.ts';
import { text } from './common.ts';

/** As long as a mail server takes. */
const MAXIMUM_LENGTH = 254;

/** The e-mail address that a person signs in with, in any script (RFC 6531), in the form in which it is stored. */
export const signInAddress = text(MAXIMUM_LENGTH)
  .transform(signInAddressOf)
  .pipe(z.email({ pattern: EMAIL_ADDRESS }));
