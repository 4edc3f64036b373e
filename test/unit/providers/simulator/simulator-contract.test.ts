import { describeProviderContract } from '../../../support/provider-contract.ts';
import { SIMULATOR_CONTRACT } from './simulator-contract.ts';

describeProviderContract(SIMULATOR_CONTRACT);
