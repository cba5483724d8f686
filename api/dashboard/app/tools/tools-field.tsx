// The tools of an agent, a business or a campaign, in order.
import type { ComponentChildren } from 'preact';
import { link } from '../router.ts';
import { OrderField } from '../ui/fields/order-field.tsx';
import { Card } from '../ui/layout.tsx';
import { useAll } from '../use-all.ts';
import { Linked } from '../words/linked.tsx';
import { t } from '../words/words.ts';

export function ToolsCard({
  hint,
  fault,
  value,
  onChange,
}: {
  hint: ComponentChildren;
  fault: string | undefined;
  value: readonly string[];
  onChange: (ids: string[]) => void;
}) {
  const { answer, error } = useAll('listTools');
  const known = (answer ?? []).map(({ id, name, description }) => ({ value: id, text: name, hint: description }));
  // Chosen tools are shown before the list is there.
  const others = value.filter((id) => !known.some((each) => each.value === id)).map((id) => ({ value: id, text: id }));
  return (
    <Card title={t('Tools')}>
      {answer?.length === 0 && others.length === 0 ? (
        <p class="soft">
          <Linked
            text={t('There are none yet. [Make a tool] that asks one of your systems.')}
            to={[link('/tools/new')]}
          />
        </p>
      ) : (
        <OrderField
          label={t('Tools that calls may use')}
          hint={hint}
          fault={fault ?? error?.message}
          value={value}
          choices={[...known, ...others]}
          onChange={onChange}
        />
      )}
    </Card>
  );
}
