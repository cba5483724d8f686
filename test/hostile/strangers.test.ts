// Attacks by strangers, on the ports that are open to everybody.
import { OF_STRANGERS } from '../../bench/rig/hostile/attacks.ts';
import { withstands } from './withstands.ts';

withstands(OF_STRANGERS, { min: 31_000, max: 31_198 });
