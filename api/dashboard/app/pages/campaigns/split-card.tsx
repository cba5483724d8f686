// The split of a campaign: versions of its agent, each with its share of the calls.
import type { Version } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { formatDate } from '../../format.ts';
import { link } from '../../router.ts';
import { NumberField, Select } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { Rows } from '../../ui/rows.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import type { CampaignValues, SplitRow } from './campaign-form.ts';

const FRESH: SplitRow = { version: '', share: null };
/** A share of 50 each is the usual test. */
const HALVES: SplitRow[] = [
  { version: '', share: 50 },
  { version: '', share: 50 },
];

export function SplitCard({ form }: { form: Form<CampaignValues> }) {
  const { values, set, faultOf } = form;
  const { agentId, split } = values;
  const query = agentId === '' ? null : { params: { id: agentId }, query: { page: 1, limit: 100 } };
  const versions = useApi('listAgentVersions', query).answer?.data ?? [];
  const sum = split.reduce((all, { share }) => all + (share ?? 0), 0);
  const fault = faultOf('split');
  return (
    <Card title={t('Versions side by side')}>
      <p class="small soft">
        {t('Versions of the agent share the calls. The same number always meets the same one.')}{' '}
        <a href={link(`/agents/${agentId}`, { tab: 'versions' })}>{t('What each version’s calls were like')}</a>
      </p>
      <Rows
        items={split}
        onChange={(rows) => set('split', split.length === 0 && rows.length === 1 ? HALVES : rows)}
        fresh={() => FRESH}
        itemName={t('version')}
        addText={split.length === 0 ? t('Compare versions') : t('Add a version')}
        empty={t('Every call is led by the published version.')}
      >
        {(row, index, change) => (
          <div class="parts two">
            <Select
              label={t('Version')}
              fault={faultOf(`split[${index}].version`)}
              value={row.version}
              onChange={(version) => change({ version })}
              choices={choicesOf(versions, row.version)}
            />
            <NumberField
              label={t('Share, %')}
              fault={faultOf(`split[${index}].share`)}
              value={row.share}
              onChange={(share) => change({ share })}
              required
            />
          </div>
        )}
      </Rows>
      {split.length > 0 && (
        <p
          class={sum === 100 && fault === undefined ? 'small soft' : 'fault'}
          role={fault === undefined ? undefined : 'alert'}
        >
          {fault ?? (sum === 100 ? t('Together 100 %.') : t('Together {sum} %: it must be 100.', { sum }))}
        </p>
      )}
    </Card>
  );
}

/** Includes a version that is no longer among the newest. */
function choicesOf(versions: readonly Version[], chosen: string) {
  const known = versions.map(({ number, isCurrent, isDraft, createdAt }) => ({
    value: String(number),
    text: [
      t('{number}, of {day}', { number, day: formatDate(createdAt) }),
      ...(isCurrent ? [t('published')] : isDraft ? [t('a draft')] : []),
    ].join(', '),
  }));
  if (known.some(({ value }) => value === chosen)) return known;
  return [{ value: chosen, text: chosen === '' ? t('Choose …') : chosen }, ...known];
}
