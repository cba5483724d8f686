// Settings of the installation that its ADMINs change while it runs; what the environment sets is not here.
import type { Json } from './columns.ts';

export interface SettingTable {
  name: 'destinations' | 'spendLimits' | 'callShare';
  value: Json;
}
