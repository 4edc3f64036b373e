import { useEffect, useState } from 'react';
import { type AskPerson, askNobody } from '../core/request.ts';

/** What a person is asked for in a dialog. */
export interface Question {
  readonly answer: (isGiven: boolean) => void;
}

/**
 * What requests wait for; null while none does. All that wait at the same time get the same answer.
 * @param askBy says how requests ask, as long as the component is on the page
 */
export function useQuestion(askBy: (ask: AskPerson) => void): Question | null {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    let pending: Promise<boolean> | null = null;
    askBy(() => {
      pending ??= new Promise<boolean>((resolve) => setQuestion({ answer: resolve })).finally(() => {
        pending = null;
        setQuestion(null);
      });
      return pending;
    });
    return () => askBy(askNobody);
  }, [askBy]);
  return question;
}
