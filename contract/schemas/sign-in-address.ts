import { z } from 'zod';
import { signInAddressOf } from '../../domain/email-address.ts';
import { refinement, text } from './common.ts';

/** As long as a mail server takes. */
const MAXIMUM_LENGTH = 254;

const ASCII_NAME = refinement({
  fieldCode: 'invalid',
  message:
    'Expected an address whose part before the @ has ASCII characters alone, because people sign in with it; got others. Its domain may have ' +
    'other letters. Take another address of the person.',
});

/** The e-mail address that a person signs in with, in the form in which it is stored: its domain may be in any script. */
export const signInAddress = text(MAXIMUM_LENGTH)
  .transform(signInAddressOf)
  .refine((address) => !/[^\x00-\x7f].*@/u.test(address), ASCII_NAME)
  .pipe(z.email());
