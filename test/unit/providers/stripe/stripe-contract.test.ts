import { describeProviderContract } from '../../../support/provider-contract.ts';
import { STRIPE_CONTRACT } from './stripe-contract.ts';

describeProviderContract(STRIPE_CONTRACT);
