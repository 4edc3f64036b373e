import { describeProviderContract } from '../../../support/provider-contract.ts';
import { ADYEN_CONTRACT } from './adyen-contract.ts';

describeProviderContract(ADYEN_CONTRACT);
