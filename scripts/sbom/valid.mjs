// Holds a bill of materials against the schema of CycloneDX, by the library of those who wrote it.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installTools } from '../pack/install.mjs'
import { StepFailed } from '../steps.mjs'

/** Fails with what the schema says, and where names in the graph lead nowhere. */
export async function checkBill(bill) {
  const tools = createRequire(join(await installTools('consumers'), 'package.json'))
  const { Spec, Validation } = tools('@cyclonedx/cyclonedx-library')
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
  const error = await validator.validate(JSON.stringify(bill))
  const complaints = [...(error ? schemaComplaints(error) : []), ...graphComplaints(bill)]
  if (complaints.length > 0) {
    throw new StepFailed(`the bill of materials is not valid:\n${complaints.join('\n')}`)
  }
}

const schemaComplaints = (errors) =>
  [errors].flat().map(({ instancePath, message }) => `${instancePath || '/'}: ${message}`)

/** What no schema can say: every component has a row in the graph, and every arrow an end. */
function graphComplaints({ metadata, components = [], dependencies = [] }) {
  const refs = [metadata.component, ...components].map((each) => each['bom-ref'])
  const rows = dependencies.map(({ ref }) => ref)
  const ends = dependencies.flatMap(({ dependsOn }) => dependsOn)
  return [
    ...refs.filter((ref, at) => refs.indexOf(ref) < at).map((ref) => `${ref} is listed twice`),
    ...refs.filter((ref) => !rows.includes(ref)).map((ref) => `${ref} is not in the graph`),
    ...[...new Set([...rows, ...ends])]
      .filter((ref) => !refs.includes(ref))
      .map((ref) => `the graph names ${ref}, which is not listed`),
  ]
}
