import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { addressOfReport, settlementReportAt } from '../../../../providers/adyen/report-address.ts';

const SANDBOX = { merchantAccount: 'Test.Merchant', environment: 'sandbox' } as const;
const PRODUCTION = { ...SANDBOX, environment: 'production' } as const;
const FILE = 'settlement_detail_report_batch_4.csv';
const PATH = '/reports/download/MerchantAccount/Test.Merchant/';

describe("the address in Adyen's REPORT_AVAILABLE", () => {
  it('is taken where it is that of a settlement details report of the account', () => {
    assert.equal(settlementReportAt(`https://ca-test.adyen.com${PATH}${FILE}`, SANDBOX), FILE);
    assert.equal(settlementReportAt(`https://ca-live.adyen.com${PATH}${FILE}`, PRODUCTION), FILE);
  });

  for (const [title, address] of [
    ['a foreign host', `https://example.com${PATH}${FILE}`],
    ['a host that begins with that of Adyen', `https://ca-test.adyen.com.example.com${PATH}${FILE}`],
    ['a host that ends with that of Adyen', `https://evil-ca-test.adyen.com${PATH}${FILE}`],
    ['another host of Adyen', `https://checkout-test.adyen.com${PATH}${FILE}`],
    ['the host of the other environment', `https://ca-live.adyen.com${PATH}${FILE}`],
    ['a private address', `https://127.0.0.1${PATH}${FILE}`],
    ['plain HTTP', `http://ca-test.adyen.com${PATH}${FILE}`],
    ['another scheme', `file://ca-test.adyen.com${PATH}${FILE}`],
    ['upper-case letters', `HTTPS://CA-TEST.ADYEN.COM${PATH}${FILE}`],
    ['userinfo', `https://user:password@ca-test.adyen.com${PATH}${FILE}`],
    ['userinfo that looks like the host', `https://ca-test.adyen.com@example.com${PATH}${FILE}`],
    ['userinfo behind the host', `https://ca-test.adyen.com${PATH}@example.com/${FILE}`],
    ['a port', `https://ca-test.adyen.com:8443${PATH}${FILE}`],
    ['the port of HTTPS', `https://ca-test.adyen.com:443${PATH}${FILE}`],
    ['the path of another account', `https://ca-test.adyen.com/reports/download/MerchantAccount/Another/${FILE}`],
    ['an account whose name fits a pattern', `https://ca-test.adyen.com${PATH.replace('.', 'x')}${FILE}`],
    ['the path of a company', `https://ca-test.adyen.com${PATH.replace('MerchantAccount', 'Company')}${FILE}`],
    ['a path that goes up', `https://ca-test.adyen.com${PATH}../Another/${FILE}`],
    ['an encoded path', `https://ca-test.adyen.com${PATH}%2e%2e/Another/${FILE}`],
    ['a backslash', `https://ca-test.adyen.com${PATH}\\example.com/${FILE}`],
    ['another report', `https://ca-test.adyen.com${PATH}payments_accounting_report_2013_06_11.csv`],
    ['a query', `https://ca-test.adyen.com${PATH}${FILE}?next=https://example.com`],
    ['a fragment', `https://ca-test.adyen.com${PATH}${FILE}#x`],
    ['blanks around it', ` https://ca-test.adyen.com${PATH}${FILE}`],
    ['a line after it', `https://ca-test.adyen.com${PATH}${FILE}\n`],
    ['words', 'will be sent by mail'],
    ['nothing', ''],
  ] as const) {
    it(`is refused with ${title}`, () => {
      assert.equal(settlementReportAt(address, SANDBOX), null);
    });
  }

  it('is made of the account and the name of the file alone', () => {
    assert.equal(addressOfReport(FILE, SANDBOX, null).href, `https://ca-test.adyen.com${PATH}${FILE}`);
    assert.equal(addressOfReport(FILE, PRODUCTION, null).href, `https://ca-live.adyen.com${PATH}${FILE}`);
    assert.equal(addressOfReport(FILE, SANDBOX, 'http://localhost:9').href, `http://localhost:9${PATH}${FILE}`);
    assert.throws(() => addressOfReport(`../${FILE}`, SANDBOX, null), RangeError);
    assert.throws(() => addressOfReport(`${FILE}\n`, SANDBOX, null), RangeError);
  });
});
