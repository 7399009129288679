import { Area, AreaChart, Bar, BarChart, LabelList, Line, LineChart } from 'recharts';
import { formatCount, formatNova } from '@/shared/api';
import { compact, Drawn, frame, LABEL, MARGIN } from './chart-frame';
import type { SeriesDay } from './overview-types';

// The charts are hidden from assistive technology: the words above and the table below say the same.

const nova = (value: unknown): string => `${formatNova(Number(value))} Nova`;

/** From this distance on, in pixels, the labels at the ends of two lines do not overlap. */
const LABEL_DISTANCE = 15;
const PLOT_HEIGHT = 160;

/** Labels one day with its amount. Charts skip empty values, so a position does not identify a day. */
const textOn =
  (labelled: SeriesDay | undefined, figure: 'circulation' | 'purchased' | 'gifted') =>
  ({ day, [figure]: amount }: SeriesDay): string =>
    day === labelled?.day ? compact.format(amount) : '';

interface ChartProps {
  series: readonly SeriesDay[];
}

/** The value at the end of each day. */
export function CirculationChart({ series }: ChartProps) {
  return (
    <Drawn>
      <AreaChart data={[...series]} margin={MARGIN} accessibilityLayer={false}>
        {frame('Nova', nova)}
        <Area
          dataKey="circulation"
          name="In circulation"
          stroke="var(--color-nova)"
          strokeWidth={2}
          fill="var(--color-nova)"
          fillOpacity={0.12}
          isAnimationActive={false}
        >
          <LabelList dataKey={textOn(series.at(-1), 'circulation')} position="right" {...LABEL} />
        </Area>
      </AreaChart>
    </Drawn>
  );
}

export const PurchaseChart = ({ series }: ChartProps) => (
  <DailySum series={series} figure="purchased" name="Purchased" />
);
export const GiftChart = ({ series }: ChartProps) => <DailySum series={series} figure="gifted" name="Gifted" />;

/** One bar a day; the highest is labelled. */
function DailySum({ series, figure, name }: ChartProps & { figure: 'purchased' | 'gifted'; name: string }) {
  const top = Math.max(...series.map((day) => day[figure]));
  const highest = series.find((day) => day[figure] === top);
  return (
    <Drawn>
      <BarChart data={[...series]} margin={MARGIN} accessibilityLayer={false}>
        {frame('Nova', nova)}
        <Bar dataKey={figure} name={name} fill="var(--color-nova)" radius={[3, 3, 0, 0]} isAnimationActive={false}>
          <LabelList dataKey={textOn(top > 0 ? highest : undefined, figure)} position="top" {...LABEL} />
        </Bar>
      </BarChart>
    </Drawn>
  );
}

/** Requested and successful chats; each line is named at its end. */
export function ChatChart({ series }: ChartProps) {
  const end = series.at(-1);
  const highest = Math.max(
    1,
    ...series.map(({ chatsRequested, chatsSuccessful }) => Math.max(chatsRequested, chatsSuccessful)),
  );
  const gap = (((end?.chatsRequested ?? 0) - (end?.chatsSuccessful ?? 0)) / highest) * PLOT_HEIGHT;
  const push = Math.max(0, (LABEL_DISTANCE - Math.abs(gap)) / 2);
  const lines = [
    { figure: 'chatsRequested', name: 'Requested', colour: 'var(--color-ink-muted)', shift: gap < 0 ? push : -push },
    { figure: 'chatsSuccessful', name: 'Successful', colour: 'var(--color-gain)', shift: gap < 0 ? -push : push },
  ];
  return (
    <Drawn>
      <LineChart data={[...series]} margin={{ ...MARGIN, right: 72 }} accessibilityLayer={false}>
        {frame('Chats', (value) => formatCount(Number(value)))}
        {lines.map(({ figure, name, colour, shift }) => (
          <Line
            key={figure}
            dataKey={figure}
            name={name}
            stroke={colour}
            strokeWidth={2}
            dot={false}
            isAnimationActive={false}
          >
            <LabelList content={<EndLabel atIndex={series.length - 1} text={name} colour={colour} shift={shift} />} />
          </Line>
        ))}
      </LineChart>
    </Drawn>
  );
}

interface EndLabelProps {
  atIndex: number;
  text: string;
  colour: string;
  /** Pixels downwards. */
  shift: number;
  /** Recharts passes these properties of the point. */
  x?: number | string;
  y?: number | string;
  index?: number;
}

/** The name of a line, after its last point. */
function EndLabel({ atIndex, text, colour, shift, x = 0, y = 0, index }: EndLabelProps) {
  if (index !== atIndex) return null;
  return (
    <text x={Number(x) + 8} y={Number(y) + shift} dy="0.32em" fontSize={12} fill={colour}>
      {text}
    </text>
  );
}
