import { CodeBlock } from '@/features/oauth/code-block';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/shared/ui';
import type { Sample } from './samples';

/** Samples of one call in several languages. `label` names the call. */
export function SampleTabs({ label, samples }: { label: string; samples: readonly Sample[] }) {
  const [first] = samples;
  if (first === undefined) return null;
  return (
    <Tabs defaultValue={first.language} className="min-w-0">
      <TabsList aria-label={`Languages: ${label}`}>
        {samples.map(({ language }) => (
          <TabsTrigger key={language} value={language}>
            {language}
          </TabsTrigger>
        ))}
      </TabsList>
      {samples.map(({ language, code }) => (
        <TabsContent key={language} value={language} tabIndex={-1}>
          <CodeBlock label={`${label}, ${language}`} code={code} />
        </TabsContent>
      ))}
    </Tabs>
  );
}
