// Time zones of calendar texts. The zones of the IANA database count as this machine knows them, whether or not the
// text describes them; others as the text does; times in a zone that nobody knows are in the business's.
import ICAL from 'ical.js';
import { DateTime, IANAZone } from 'luxon';

/** Some programs write a path before the name: /freeassociation.sourceforge.net/Europe/Berlin. */
function nameIn(tzid: string): string | undefined {
  const parts = tzid.split('/');
  return [tzid, parts.slice(-3).join('/'), parts.slice(-2).join('/')].find((name) => IANAZone.isValidZone(name));
}

class KnownZone extends ICAL.Timezone {
  readonly #zone: IANAZone;

  constructor(tzid: string, zone: IANAZone) {
    super({ tzid });
    this.#zone = zone;
  }

  override utcOffset({ year, month, day, hour, minute, second }: ICAL.Time): number {
    const local = DateTime.fromObject({ year, month, day, hour, minute, second }, { zone: this.#zone });
    return local.isValid ? local.offset * 60 : 0;
  }
}

/** Has the times of this calendar be read so. */
export function knowZones(calendar: ICAL.Component): void {
  for (const tzid of namesIn(calendar.jCal)) {
    const name = nameIn(tzid);
    if (name === undefined) continue;
    ICAL.TimezoneService.remove(tzid);
    ICAL.TimezoneService.register(new KnownZone(tzid, IANAZone.create(name)), tzid);
    for (const described of calendar.getAllSubcomponents('vtimezone'))
      if (described.getFirstPropertyValue('tzid') === tzid) calendar.removeSubcomponent(described);
  }
}

/** The zones that properties name. */
function namesIn(jCal: unknown): Set<string> {
  const names = new Set<string>();
  const [, , components] = jCal as [string, unknown[], Array<[string, Array<[string, { tzid?: unknown }]>]>];
  for (const [, properties] of components)
    for (const [, parameters] of properties) if (typeof parameters?.tzid === 'string') names.add(parameters.tzid);
  return names;
}
