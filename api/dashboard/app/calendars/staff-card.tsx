// Persons, chairs and rooms that appointments are made with, and the minutes between two appointments.
import * as LIMITS from '../api-limits.ts';
import type { Business } from '../api-types.ts';
import { Button } from '../ui/button.tsx';
import { NumberField, TextField } from '../ui/fields/field.tsx';
import { Fieldset } from '../ui/fields/fieldset.tsx';
import { TagsField } from '../ui/fields/tags-field.tsx';
import { HoursRows } from '../ui/hours-rows.tsx';
import { Card } from '../ui/layout.tsx';

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
    <Card title="Who takes appointments">
      <p class="soft">
        {resources.length === 0
          ? 'The business takes one appointment at a time. Name your staff, chairs or rooms, and each takes one.'
          : 'Each takes one appointment at a time. Callers may ask for one by name.'}
      </p>
      {resources.map(({ name, aliases, hours }, index) => (
        <Fieldset title={name === '' ? `No. ${index + 1}` : name} key={index}>
          <TextField
            label="Name"
            value={name}
            onChange={(text) => change(index, { name: text })}
            fault={faultOf(`resources[${index}].name`)}
            limits={LIMITS.UpdateBusinessBody.resources.items.name}
            required
          />
          <TagsField
            label="Other names"
            hint="As callers say them."
            values={aliases}
            onChange={(names) => change(index, { aliases: names })}
            fault={faultOf(`resources[${index}].aliases`, true)}
          />
          <HoursRows
            hours={hours ?? []}
            onChange={(spans) => change(index, { hours: spans.length === 0 ? null : spans })}
            faultOf={(part) => faultOf(`resources[${index}].${part}`)}
            always="Works whenever the business is open"
            within="Works at hours of their own"
          />
          <div>
            <Button
              isSmall
              label={`Remove ${name}`}
              onClick={() => onResources(resources.filter((_, at) => at !== index))}
            >
              Remove
            </Button>
          </div>
        </Fieldset>
      ))}
      <div>
        <Button onClick={() => onResources([...resources, { name: '', aliases: [], hours: null }])}>Add one</Button>
      </div>
      <NumberField
        label="Minutes between two appointments"
        value={bufferMinutes}
        onChange={onBuffer}
        fault={faultOf('bufferMinutes')}
        limits={LIMITS.UpdateBusinessBody.bufferMinutes}
      />
    </Card>
  );
}
