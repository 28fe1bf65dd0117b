// What JSON may hold where Grafana's types say T: the enumerations of TypeScript as the words that stand for them.
export type Wire<T> = T extends string
  ? `${T}`
  : T extends (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Name in keyof T]: Wire<T[Name]> }
      : T;

// The target of a panel. Grafana publishes no type of it; this is what its Prometheus data source reads.
export interface PrometheusTarget {
  refId: string;
  datasource: { type: "prometheus"; uid: "${datasource}" };
  editorMode: "code";
  expr: string;
  legendFormat: string;
  range: boolean;
  instant: boolean;
  format: "time_series" | "table" | "heatmap";
}

// An annotation of Prometheus: Grafana's type of annotations leaves out what the data source itself reads.
export interface PrometheusAnnotation {
  expr: string;
  titleFormat: string;
  textFormat: string;
  useValueForTime: boolean;
}

// The same for a variable that Prometheus is asked for.
export interface PrometheusVariableQuery {
  query: string;
  refId: string;
  qryType: 1;
}
