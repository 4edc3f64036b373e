import type { Environment } from '../../domain/payment.ts';

/** Where Adyen's Customer Area is. The key of one environment is sent to the other's address by nobody. */
const HOSTS: Readonly<Record<Environment, string>> = { sandbox: 'ca-test.adyen.com', production: 'ca-live.adyen.com' };

interface ReportOwner {
  readonly merchantAccount: string;
  readonly environment: Environment;
}

/**
 * The file name of the Settlement details report to which an address leads. The address stands in a webhook's `reason`, which its
 * signature does not cover. So nothing of it is used but the number of the batch, and that only where the whole text is the address of
 * such a report of this very account.
 * @returns null for any other text
 */
export function settlementReportAt(address: string, owner: ReportOwner): string | null {
  const beginning = `https://${HOSTS[owner.environment]}${pathOfReports(owner)}`;
  if (!address.startsWith(beginning)) return null;
  const fileName = address.slice(beginning.length);
  return isSettlementReport(fileName) ? fileName : null;
}

/**
 * Where a report is downloaded.
 * @param apiUrl where the operator says that Adyen is; null for Adyen's own address
 * @throws RangeError for another file name
 */
export function addressOfReport(fileName: string, owner: ReportOwner, apiUrl: string | null): URL {
  if (!isSettlementReport(fileName)) throw new RangeError('no settlement details report has this name');
  return new URL(`${pathOfReports(owner)}${fileName}`, apiUrl ?? `https://${HOSTS[owner.environment]}`);
}

function pathOfReports({ merchantAccount }: ReportOwner): string {
  return `/reports/download/MerchantAccount/${merchantAccount}/`;
}

function isSettlementReport(fileName: string): boolean {
  return /^settlement_detail_report_batch_\d{1,10}\.csv$/.test(fileName);
}
