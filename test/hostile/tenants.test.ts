// Attacks by tenants, and by what they bring: texts, lists, servers.
import { OF_TENANTS } from '../../bench/rig/hostile/attacks.ts';
import { withstands } from './withstands.ts';

withstands(OF_TENANTS, { min: 31_200, max: 31_398 });
