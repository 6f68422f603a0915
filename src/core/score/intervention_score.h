// InterventionScore: any score, of nodes that were set, not observed, in some rows.
//
// Such rows say nothing about how the node depends on its parents, and are left out of its families
// (Cooper & Yoo 1999); as parents of others its values count. Nodes that were set in the same rows
// share a score, of the rows that are left, with whatever bounds it has. Settings are the same for
// all: a penalty that goes by the number of rows is that of all rows.
//
// Memory: a copy of the data for every set of rows, where these are in memory. Use as any
// LocalScore.
#pragma once

#include "core/score/local_score.h"

namespace optbn {

class InterventionScore final : public LocalScore {
public:
  using Factory = std::function<std::unique_ptr<LocalScore>(const Dataset &rows)>;

  // set: by node, the rows in which it was, ascending. make(rows) gives the score of these rows,
  // which outlive it.
  InterventionScore(const Dataset &data, const std::vector<std::vector<std::size_t>> &set,
                    const Factory &make);
  // left: by node, the rows in which it was not, null where these are all of the data; nodes with
  // the same pointer share them.
  InterventionScore(const Dataset &data, const std::vector<std::shared_ptr<const Dataset>> &left,
                    const Factory &make);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  std::vector<double> score_nearly(const FamilyBatch &batch, Watch &watch) override;
  void extend(std::vector<Extensions> &batch, Watch &watch) override;
  void reduce(std::vector<Reductions> &batch, Watch &watch) override;
  bool extends_fast() const override { return parts_[0]->score->extends_fast(); }
  Sharing sharing() const override { return parts_[0]->score->sharing(); }
  bool admits(Node child, Node parent) const override { return of(child).admits(child, parent); }
  double bound(Node child, const Node *parents, unsigned size) const override {
    return of(child).bound(child, parents, size);
  }
  const Dataset *rows_of(Node child) const override { return &parts_[part_[child]]->rows; }
  Regret regret() const override { return parts_[0]->score->regret(); }
  double least_regret(Node child, const Occupation &known) const override {
    return of(child).least_regret(child, known);
  }
  bool bounds_gain() const override { return parts_[0]->score->bounds_gain(); }
  double gain_bound(Node child, Node added, const Node *parents, unsigned size,
                    double score_of_added) const override;

private:
  struct Part {
    Dataset rows;
    std::unique_ptr<LocalScore> score;
  };

  void add_part(Dataset rows, const Factory &make);
  LocalScore &of(Node child) const { return *parts_[part_[child]]->score; }
  // The numbers of the families with these children, part by part.
  template <class Child> std::vector<std::vector<std::size_t>> by_part(std::size_t, Child) const;
  // Calls work(score, families) with the families of each part, and puts them back.
  template <class Family, class Work>
  void divide(std::vector<Family> &batch, Watch &watch, Work work);
  // Calls work(score, families, numbers): the numbers are those in the batch.
  template <class Work> void divide(const FamilyBatch &batch, Watch &watch, Work work);

  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<std::size_t> part_; // by node
};

} // namespace optbn
