// Persons, chairs and rooms that appointments are made with, and the minutes between two appointments.
import * as LIMITS from '../api-limits.ts';
import type { Business } from '../api-types.ts';
import { Button } from '../ui/button.tsx';
import { NumberField, TextField } from '../ui/fields/field.tsx';
import { Fieldset } from '../ui/fields/fieldset.tsx';
import { TagsField } from '../ui/fields/tags-field.tsx';
import { HoursRows } from '../ui/hours-rows.tsx';
import { Card } from '../ui/layout.tsx';
import { t } from '../words/words.ts';

type Resources = Business['resources'];

export function StaffCard({
  resources,
  bufferMinutes,
  onResources,
  onBuffer,
  faultOf,
}: {
  resources: Resources;
  bufferMinutes: number | null;
  onResources: (resources: Resources) => void;
  onBuffer: (minutes: number | null) => void;
  faultOf: (path: string, deep?: boolean) => string | undefined;
}) {
  const change = (index: number, part: Partial<Resources[number]>) =>
    onResources(resources.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <Card title={t('Who takes appointments')}>
      <p class="soft">
        {resources.length === 0
          ? t('The business takes one appointment at a time. Name your staff, chairs or rooms, and each takes one.')
          : t('Each takes one appointment at a time. Callers may ask for one by name.')}
      </p>
      {resources.map(({ name, aliases, hours }, index) => (
        <Fieldset title={name === '' ? t('No. {number}', { number: index + 1 }) : name} key={index}>
          <TextField
            label={t('Name')}
            value={name}
            onChange={(text) => change(index, { name: text })}
            fault={faultOf(`resources[${index}].name`)}
            limits={LIMITS.UpdateBusinessBody.resources.items.name}
            required
          />
          <TagsField
            label={t('Other names')}
            hint={t('As callers say them.')}
            values={aliases}
            onChange={(names) => change(index, { aliases: names })}
            fault={faultOf(`resources[${index}].aliases`, true)}
          />
          <HoursRows
            hours={hours ?? []}
            onChange={(spans) => change(index, { hours: spans.length === 0 ? null : spans })}
            faultOf={(part) => faultOf(`resources[${index}].${part}`)}
            always={t('Works whenever the business is open')}
            within={t('Works at hours of their own')}
          />
          <div>
            <Button
              isSmall
              label={t('Remove {name}', { name })}
              onClick={() => onResources(resources.filter((_, at) => at !== index))}
            >
              {t('Remove')}
            </Button>
          </div>
        </Fieldset>
      ))}
      <div>
        <Button onClick={() => onResources([...resources, { name: '', aliases: [], hours: null }])}>
          {t('Add one')}
        </Button>
      </div>
      <NumberField
        label={t('Minutes between two appointments')}
        value={bufferMinutes}
        onChange={onBuffer}
        fault={faultOf('bufferMinutes')}
        limits={LIMITS.UpdateBusinessBody.bufferMinutes}
      />
    </Card>
  );
}
