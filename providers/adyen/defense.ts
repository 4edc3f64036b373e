import type { EvidenceFile } from '../payment-provider.ts';
import type { DefenseReason } from './messages.ts';

/** With which reason and documents a dispute is defended. */
interface Defense {
  readonly reasonCode: string;
  readonly documents: readonly { readonly typeCode: string; readonly file: EvidenceFile }[];
}

/** Why Adyen cannot be sent these files, and what it would take. */
interface NoDefense {
  readonly reason: string;
  readonly defenseReasons: string;
}

/** The type of a receipt or an invoice. */
const RECEIPT = 'TIDorInvoice';
/** The reason that takes material of any kind. */
const ANY_MATERIAL = 'SupplyDefenseMaterial';
const OPTIONAL = 'Optional';

/**
 * Finds the reason for which all files can be supplied, and no required document is missing. The reason is what the merchant tells the
 * card scheme: so where several fit, and none of them takes material of any kind, the merchant has to choose at Adyen. Pure.
 */
export function chooseDefense(reasons: readonly DefenseReason[], files: readonly EvidenceFile[]): Defense | NoDefense {
  const fitting = reasons.flatMap((reason) => defenseBy(reason, files) ?? []);
  const chosen =
    fitting.find(({ reasonCode }) => reasonCode === ANY_MATERIAL) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (chosen !== undefined) return chosen;
  const problem =
    fitting.length > 1
      ? 'Several reasons fit the files. Choose one in the Customer Area of Adyen.'
      : 'No reason fits the files. Put all of them into one file, and the receipt into one of the kind receipt, or answer in the Customer Area of Adyen.';
  return { reason: problem, defenseReasons: describe(reasons) };
}

/** A receipt, where the reason takes one, and one document of a type of the reason's own. */
function defenseBy(reason: DefenseReason, files: readonly EvidenceFile[]): Defense | null {
  const types = reason.defenseDocumentTypes;
  const own = types.filter(({ defenseDocumentTypeCode: code }) => code !== RECEIPT);
  const receiptType = types.find(({ defenseDocumentTypeCode: code }) => code === RECEIPT);
  const needed = own.filter(({ requirementLevel }) => requirementLevel !== OPTIONAL);
  const isOnlyFileNeeded = files.length === 1 && needed.length > 0;
  const takesReceipt = receiptType !== undefined && !isOnlyFileNeeded;
  const receipts = takesReceipt ? files.filter(({ kind }) => kind === 'receipt') : [];
  const others = files.filter((file) => !receipts.includes(file));
  const target = needed[0] ?? own[0];
  const isEnough =
    needed.length <= others.length &&
    (receiptType === undefined || receipts.length > 0 || receiptType.requirementLevel === OPTIONAL);
  if (!isEnough || others.length > 1 || (others.length === 1 && target === undefined)) return null;
  return {
    reasonCode: reason.defenseReasonCode,
    documents: [
      ...receipts.map((file) => ({ typeCode: RECEIPT, file })),
      ...others.flatMap((file) => (target === undefined ? [] : [{ typeCode: target.defenseDocumentTypeCode, file }])),
    ],
  };
}

function describe(reasons: readonly DefenseReason[]): string {
  return reasons
    .map(({ defenseReasonCode, defenseDocumentTypes }) => {
      const types = defenseDocumentTypes.map(
        ({ defenseDocumentTypeCode, requirementLevel }) => `${defenseDocumentTypeCode} (${requirementLevel})`,
      );
      return `${defenseReasonCode}: ${types.join(', ')}`;
    })
    .join('; ');
}
