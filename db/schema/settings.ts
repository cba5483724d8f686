// Settings of the installation that its ADMINs change at run time; settings of the environment are not here.
import type { Json } from './columns.ts';

export interface SettingTable {
  name:
    | 'destinations'
    | 'spendLimits'
    | 'callShare'
    | 'showCosts'
    /** Not a setting of an ADMIN: db/key-digests.ts. */
    | 'keyDigests';
  value: Json;
}
