// Whether the board marks where the chosen man can go: a party may do without.
import { useEffect, useState } from 'preact/hooks';
import { party } from '../party/rest_party.ts';

export function useLegalMarks(partyId: string | undefined): boolean {
  const [marks, setMarks] = useState(true);
  useEffect(() => {
    if (!partyId) return;
    // A party that cannot be asked now leaves the marks on.
    void party(partyId).then(
      (found) => setMarks(found?.settings.legalMarks ?? true),
      () => undefined,
    );
  }, [partyId]);
  return marks;
}
