import { Badge, Checkbox } from '@/shared/ui';
import { DailyLimitField } from '../daily-limit-field';
import { SCOPE_TEXTS, type Scope } from '../scopes';

export interface ScopeChoiceProps {
  scopes: readonly Scope[];
  chosen: readonly Scope[];
  disabled: boolean;
  onChoose: (scope: Scope, isChosen: boolean) => void;
  limitText: string;
  onLimitTextChange: (text: string) => void;
}

/** The requested scopes with their boxes: openid is locked on, nova brings the daily limit with it (rule oauth-10). */
export function ScopeChoice(props: ScopeChoiceProps) {
  const { scopes, chosen, disabled, onChoose, limitText, onLimitTextChange } = props;
  return (
    <fieldset className="mt-6">
      <legend className="text-sm font-medium text-ink">It asks for</legend>
      <ul className="mt-2 divide-y divide-line rounded-md border border-line">
        {scopes.map((scope) => (
          <li key={scope} className="px-4 py-3">
            <Checkbox
              label={<ScopeLabel scope={scope} />}
              hint={SCOPE_TEXTS[scope].description}
              checked={chosen.includes(scope)}
              disabled={disabled || scope === 'openid'}
              onCheckedChange={(isChosen) => onChoose(scope, isChosen)}
            />
            {scope === 'nova' && chosen.includes('nova') && (
              <div className="mt-3 animate-appear pl-7">
                <DailyLimitField text={limitText} readOnly={disabled} onTextChange={onLimitTextChange} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function ScopeLabel({ scope }: { scope: Scope }) {
  return (
    <span className="flex flex-wrap items-center gap-2 font-medium text-ink">
      {SCOPE_TEXTS[scope].title}
      {scope === 'openid' && <Badge>Required</Badge>}
      {scope === 'nova' && <Badge tone="hold">Includes spending</Badge>}
    </span>
  );
}
