Feature: Time, and people who have had enough

  Background:
    Given given the workflow input is:
      """yaml
      tea: green
      """

  Scenario Outline: A wait that is written in several ways
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: wait, version: '1.0.0' }
      do:
        - boil:
            set: { tea: '${ .tea }', span: <span> }
        - draw:
            wait: <wait>
        - drink:
            set: { drunk: '${ .tea }' }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      drunk: green
      """
    And boil should run first
    And draw should run after boil
    And drink should run last

    Examples:
      | wait                    | span     |
      | { milliseconds: 3 }     | 0        |
      | PT0.003S                | 0        |
      | '${ .span }'            | PT0.002S |

  Scenario: A workflow that is cancelled while it waits
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: cancelled, version: '1.0.0' }
      do:
        - before:
            set: { ready: true }
        - sleep:
            wait: { days: 100 }
        - afterwards:
            set: { rested: true }
      """
    When the workflow is executed
    And the workflow is cancelled
    Then the workflow should cancel
    And before should complete with output:
      """yaml
      ready: true
      """
    And sleep should cancel
    And sleep should run last

  Scenario: A workflow that takes too long
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: too-long, version: '1.0.0' }
      timeout: { after: { milliseconds: 5 } }
      do:
        - patience:
            try:
              - sleep:
                  wait: { days: 100 }
            catch:
              do:
                - wake:
                    set: { awake: true }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      """
