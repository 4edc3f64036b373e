import { describeProviderContract } from '../../../support/provider-contract.ts';
import { CASHFREE_CARD_CONTRACT, CASHFREE_UPI_CONTRACT } from './cashfree-contract.ts';

describeProviderContract(CASHFREE_UPI_CONTRACT);
describeProviderContract(CASHFREE_CARD_CONTRACT);
