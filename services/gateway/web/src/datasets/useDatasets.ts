import { useQuery } from "@tanstack/react-query";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";

export type Dataset = Shapes["DatasetView"];

/** The datasets one may see: the newest version of each, or all versions. */
export function useDatasets(allVersions = false) {
  const key = useKey();
  return useQuery({
    queryKey: ["datasets", allVersions, key !== null],
    queryFn: () => answered(api.GET("/api/v1/datasets", { params: { query: { all_versions: allVersions } } })),
  });
}

/** One version of a dataset. */
export function useDataset(id: string) {
  return useQuery({
    queryKey: ["dataset", id],
    queryFn: () => answered(api.GET("/api/v1/datasets/{dataset_id}", { params: { path: { dataset_id: id } } })),
  });
}
