// Peers that go dark at each step of a dialog, in both directions.
import { DARK_SHORT } from '../../../bench/rig/faults/dark-peers.ts';
import { nightly } from '../../support/nightly.ts';
import { testFault } from './fault-test.ts';

testFault(DARK_SHORT, nightly);
