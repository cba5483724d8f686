// The engines that listen, think and speak: the chosen ones, and all that can be chosen or downloaded.
import { Page } from '../../ui/layout.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { t, words } from '../../words/words.ts';
import { EnginesTab } from './engines-tab.tsx';
import { KitTab } from './kit-tab.tsx';
import { ModelList } from './model-list.tsx';

const TABS: Array<['engines' | 'language' | 'list', string]> = [
  ['engines', words('Engines')],
  ['language', words('By language')],
  ['list', words('All models')],
];

export default function ModelsPage() {
  const tab = currentTab(TABS);
  return (
    <Page
      title={t('Models')}
      lead={t(
        'What listens, thinks and speaks on this installation. A change is taken for the next call, without a restart.',
      )}
    >
      <Tabs tabs={TABS.map(([name, text]) => [name, t(text)])} current={tab} />
      {tab === 'engines' && <EnginesTab />}
      {tab === 'language' && <KitTab />}
      {tab === 'list' && <ModelList />}
    </Page>
  );
}
