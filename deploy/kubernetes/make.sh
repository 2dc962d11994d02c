#!/bin/sh
# Writes sluice.yaml from the Helm chart, with its default values. A test compares them.
set -eu
cd "$(dirname "$0")/../.."
{
  echo '# Sluice without Helm: made from the chart in deploy/helm by deploy/kubernetes/make.sh. Create the Secrets first'
  echo '# (secrets.example.yaml), set your image, then: kubectl apply -f sluice.yaml'
  "${HELM:-helm}" template sluice deploy/helm/sluice --skip-tests
} >deploy/kubernetes/sluice.yaml
